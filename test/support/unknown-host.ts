/**
 * A host that does not exist, whether a name server can be reached or not: a label has at most 63 octets, so none is asked.
 *
 * @source RFC 1035, section 2.3.4
 */
export const UNKNOWN_HOST = `${"nothing".repeat(10)}.invalid`;
