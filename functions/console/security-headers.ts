import { createHash } from "node:crypto";

/**
 * Styles that the page's accessible parts (react-aria) put into the document by themselves, word for word: what a press
 * does to scrolling, and what a dialog does to it on a phone. No other style outside our own files is applied.
 */
export const partStyles = [
  "@layer {\n  [data-react-aria-pressable] {\n    touch-action: pan-x pan-y pinch-zoom;\n  }\n}",
  "@layer {\n  * {\n    overscroll-behavior: contain;\n  }\n}",
];

/** The source of an inline style, by which a policy allows this one and no other. */
const sourceOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * What the browser may do on the page. It holds the operator's token: only our own files are executed, requests go to this
 * service and to the origins that are given alone, and no other page can show it in a frame.
 *
 * @param origins  of the bucket that takes large files, and of the identity provider's token endpoint
 * @returns headers of every answer
 */
export function securityHeaders(origins: readonly string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${["'self'", ...partStyles.map(sourceOf)].join(" ")}`,
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    `connect-src ${["'self'", ...origins].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
  return {
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "permissions-policy": deniedFeatures.map((feature) => `${feature}=()`).join(", "),
    "cross-origin-opener-policy": "same-origin",
  };
}

/** There is no word for all of them: those that ask for a device, for money or for where a user is. */
const deniedFeatures = [
  "accelerometer",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "idle-detection",
  "local-fonts",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "publickey-credentials-get",
  "screen-wake-lock",
  "serial",
  "usb",
  "xr-spatial-tracking",
];
