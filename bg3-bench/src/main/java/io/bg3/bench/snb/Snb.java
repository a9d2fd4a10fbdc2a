package io.bg3.bench.snb;

/** Labels and property keys of the social network, as LDBC names them. */
final class Snb {
  // Vertices.
  static final String PERSON = "person";
  static final String PLACE = "place";
  static final String TAG = "tag";
  static final String TAG_CLASS = "tagclass";
  static final String UNIVERSITY = "university";
  static final String COMPANY = "company";
  static final String FORUM = "forum";
  static final String POST = "post";
  static final String COMMENT = "comment";

  // Edges.
  static final String KNOWS = "knows";
  static final String IS_LOCATED_IN = "isLocatedIn";
  static final String IS_PART_OF = "isPartOf";
  static final String HAS_TYPE = "hasType";
  static final String IS_SUBCLASS_OF = "isSubclassOf";
  static final String HAS_INTEREST = "hasInterest";
  static final String STUDY_AT = "studyAt";
  static final String WORK_AT = "workAt";
  static final String HAS_MODERATOR = "hasModerator";
  static final String HAS_MEMBER = "hasMember";
  static final String CONTAINER_OF = "containerOf";
  static final String HAS_CREATOR = "hasCreator";
  static final String HAS_TAG = "hasTag";
  static final String REPLY_OF = "replyOf";
  static final String LIKES = "likes";

  // Properties.
  static final String NAME = "name";
  static final String FIRST_NAME = "firstName";
  static final String LAST_NAME = "lastName";
  static final String GENDER = "gender";
  static final String BIRTHDAY = "birthday";

  /** Month and day of the birthday, as month * 100 + day. */
  static final String MONTH_DAY = "monthDay";

  static final String CREATION_DATE = "creationDate";
  static final String LOCATION_IP = "locationIP";
  static final String BROWSER = "browserUsed";
  static final String CONTENT = "content";
  static final String TITLE = "title";
  static final String JOIN_DATE = "joinDate";
  static final String CLASS_YEAR = "classYear";
  static final String WORK_FROM = "workFrom";

  private Snb() {}
}
