import { ContentFault } from "../content-fault.ts";

/** A source cannot be read as requested. The text is public. */
export class SourceFault extends ContentFault {
  readonly kind: "missing" | "refused" | "unsupported";

  constructor(kind: SourceFault["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}
