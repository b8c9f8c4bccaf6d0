/** Why a content cannot be processed, however often it is tried. The text is public: the content shows it. */
export class ContentFault extends Error {
  override readonly name = "ContentFault";
}
