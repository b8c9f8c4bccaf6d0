import { matching } from "../forms.ts";
import type { Settings } from "../setting.ts";

/** What only the function reads that seals the audit. */
export const audit = {
  /**
   * name of a bucket of yours that gets a copy of the audit, each seal with its records as lines of JSON below `audit/`;
   * with object lock, and in another account, it shows a change of the table
   */
  auditExportBucket: {
    variable: "AUDIT_EXPORT_BUCKET",
    form: matching("a bucket's name", /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket"),
  },
} as const satisfies Settings;
