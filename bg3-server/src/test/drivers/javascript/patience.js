'use strict';

// The suite gives each step ten seconds, which a machine that has other things to do may exceed.
require('@cucumber/cucumber').setDefaultTimeout(5 * 60 * 1000);
