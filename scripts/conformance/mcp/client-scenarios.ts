/** The kit's scenarios of clients, by revision: those of its suite `core`, and that of sign-in as a whole. */
export const clientScenarios: Readonly<Record<string, readonly string[]>> = {
  "2025-11-25": [
    "initialize",
    "tools_call",
    "sse-retry",
    "elicitation-sep1034-client-defaults",
    "json-schema-2020-12-preservation",
    "auth",
  ],
  "2026-07-28": [
    "tools_call",
    "request-metadata",
    "sep-2322-client-request-state",
    "http-standard-headers",
    "http-custom-headers",
    "http-invalid-tool-headers",
    "json-schema-ref-no-deref",
    "json-schema-2020-12-preservation",
    "auth",
  ],
};

const reasons: Readonly<Record<string, string>> = {
  "sse-retry": "a function that is frozen between two runs keeps no stream open, so it takes none up again",
  "elicitation-sep1034-client-defaults": "a call of an older version cannot wait for a person",
  auth: "`headers` has the credential for a server of tools; the platform does not sign in there",
};

/** Why a scenario cannot pass; undefined for one that must. */
export const cannotAsClient = (scenario: string): string | undefined => reasons[scenario];
