package io.bg3.server.access;

import java.util.Optional;

/**
 * Who may come in, and where that is written down.
 *
 * @param logins how users log in; empty if nobody is asked who he is
 * @param audit what is written of it
 * @param rules what browsers may send
 */
public record Access(Optional<Logins> logins, AuditLog audit, BrowserRules rules) {}
