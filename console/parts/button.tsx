import type { ReactNode } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components/Button";
import { Link } from "wouter";
import { Hint } from "./hint.tsx";

type Look = {
  readonly kind?: "main" | "plain" | "danger" | "danger-main";
  readonly size?: "small";
  /** Shows only its icon; the label is for those who do not see it, and a hint. */
  readonly icon?: ReactNode;
  readonly label?: string;
};

export type ButtonProps = Look &
  Omit<AriaButtonProps, "className" | "children"> & { readonly children?: ReactNode };

export function Button({ kind, size, icon, label, children, ...props }: ButtonProps) {
  const only = icon !== undefined && children === undefined;
  const button = (
    <AriaButton
      {...props}
      className={classOf(kind, size, only)}
      {...(label !== undefined && { "aria-label": label })}
    >
      {icon}
      {children}
    </AriaButton>
  );
  return only && label !== undefined ? <Hint text={label}>{button}</Hint> : button;
}

type ButtonLinkProps = Look & { readonly to: string; readonly children: ReactNode };

/** Looks like a button and leads to another page of the console. */
export function ButtonLink({ kind, size, icon, to, children }: ButtonLinkProps) {
  return (
    <Link href={to} className={classOf(kind, size, false)}>
      {icon}
      {children}
    </Link>
  );
}

const classOf = (kind: Look["kind"], size: Look["size"], only: boolean): string =>
  ["button", kind && `button-${kind}`, size && `button-${size}`, only && "button-icon"]
    .filter(Boolean)
    .join(" ");
