import { ArrowLeft } from "lucide-react";
import { Children, type MouseEvent, type ReactNode, useEffect } from "react";
import { Link } from "wouter";
import { useDeployment } from "../access/settings.ts";
import { cameFrom } from "../api/kept-places.ts";

type PageProps = {
  readonly title: string;
  /** Shown instead of the title where it is more than text. */
  readonly heading?: ReactNode;
  readonly about?: ReactNode;
  /** The list that this is one of. */
  readonly back?: { readonly to: string; readonly text: string };
  readonly actions?: ReactNode;
  readonly narrow?: boolean;
  readonly children: ReactNode;
};

/** One screen: its title, what can be done, and its content. */
export function Page({ title, heading, about, back, actions, narrow = false, children }: PageProps) {
  const { name } = useDeployment();
  useEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
  return (
    <div className={narrow ? "page page-narrow" : "page"}>
      <header className="page-head">
        <div className="page-head-text">
          {back && (
            <Link className="page-back" href={back.to} onClick={(event) => returnTo(back.to, event)}>
              <ArrowLeft size={13} aria-hidden />
              {back.text}
            </Link>
          )}
          <h1 dir="auto">{heading ?? title}</h1>
          {about !== undefined && <div className="page-about">{about}</div>}
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A list that the reader comes from is shown as they left it, with its filters, and not anew. */
function returnTo(path: string, event: MouseEvent): void {
  if (!cameFrom(path)) return;
  event.preventDefault();
  history.back();
}

/** What is known of the thing that a page is about, on one line; absent parts are left out. */
export function Meta({ children }: { readonly children: ReactNode }) {
  return (
    <div className="meta">
      <div className="meta-parts">
        {Children.toArray(children).map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no other identity
          <span key={at} className="meta-part">
            {part}
          </span>
        ))}
      </div>
    </div>
  );
}

export function Card({
  title,
  actions,
  children,
  flush = false,
}: {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly flush?: boolean;
}) {
  return (
    <section className="card">
      {title !== undefined && (
        <div className="card-head">
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      {flush ? children : <div className="card-body">{children}</div>}
    </section>
  );
}

/** Names and values, one pair a line; pairs without a value are left out. */
export function Facts({ of: facts }: { readonly of: readonly (readonly [string, ReactNode])[] }) {
  const known = facts.filter(([, value]) => value !== undefined && value !== null && value !== "");
  return (
    <dl className="facts">
      {known.map(([name, value]) => (
        <div key={name} style={{ display: "contents" }}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Totals, side by side; amounts without a value are left out. */
export function Amounts({ of: amounts }: { readonly of: readonly (readonly [string, ReactNode])[] }) {
  return (
    <div className="card run-amounts">
      {amounts
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <div className="amount-name">{name}</div>
            <div className="amount-value">{value}</div>
          </div>
        ))}
    </div>
  );
}
