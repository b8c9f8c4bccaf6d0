/** A content cannot be processed, and retries would not help. The text is public: the content shows it. */
export class ContentFault extends Error {
  override readonly name = "ContentFault";
}
