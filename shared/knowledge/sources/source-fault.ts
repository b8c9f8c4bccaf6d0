import { ContentFault } from "../content-fault.ts";

/** What is wrong with a source, as far as the caller may be told. */
export class SourceFault extends ContentFault {
  readonly kind: "missing" | "refused" | "unsupported";

  constructor(kind: SourceFault["kind"], says: string) {
    super(says);
    this.kind = kind;
  }
}
