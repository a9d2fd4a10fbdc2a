package io.bg3.bench.snb;

/**
 * How many elements of each kind a graph has, and their ids: the kind in the upper bits, a number
 * from 0 in the lower ones. The proportions are about those of LDBC's scale factor 0.1, which has
 * 1,500 persons.
 *
 * @param persons their number, {@value #LEAST_PERSONS} or more
 */
record SnbSizes(int persons) {
  static final int LEAST_PERSONS = 20;

  static final int CONTINENTS = 6;
  static final int COUNTRIES = 60;
  static final int CITIES_A_COUNTRY = 5;
  static final int CITIES = COUNTRIES * CITIES_A_COUNTRY;
  static final int COMPANIES_A_COUNTRY = 3;
  static final int COMPANIES = COUNTRIES * COMPANIES_A_COUNTRY;
  static final int TAG_CLASSES = 40;

  /** The wall of each person, and groups. */
  static final int FORUMS_A_PERSON = 3;

  private static final int KIND_SHIFT = 40;
  private static final int LEAST_TAGS = 200;

  /** The kinds of vertices, in the order of their ids. */
  enum Kind {
    CONTINENT(1),
    COUNTRY(2),
    CITY(3),
    UNIVERSITY(4),
    COMPANY(5),
    TAG_CLASS(6),
    TAG(7),
    PERSON(8),
    FORUM(9),
    POST(10),
    COMMENT(11);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    /** Its number, from 1. */
    int code() {
      return code;
    }

    /** The id of the {@code number}th vertex of this kind. */
    long id(long number) {
      return (long) code << KIND_SHIFT | number;
    }
  }

  int tags() {
    return Math.max(LEAST_TAGS, 2 * persons);
  }

  int forums() {
    return FORUMS_A_PERSON * persons;
  }
}
