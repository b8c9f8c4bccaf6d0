/** A content cannot be processed, and retries would not help. The text is public: the content shows it. */
export class ContentFault extends Error {
  override readonly name: string = "ContentFault";
}

/** Reading it takes more than is allowed: the whole content fails, also where one file of an archive is to blame. */
export class LimitExceeded extends ContentFault {}
