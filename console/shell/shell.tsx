import { useQuery } from "@tanstack/react-query";
import { CircleQuestionMark, LogOut, Menu as MenuIcon, Moon, Search, Sun, SunMoon } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { Link, Redirect, Route, Switch, useLocation } from "wouter";
import { credential, signOut } from "../access/credential.ts";
import type { Me } from "../access/may.ts";
import { useDeployment } from "../access/settings.ts";
import { useMay, useMe } from "../access/use-me.ts";
import { useKeptPage } from "../api/kept-places.ts";
import { loadPart } from "../api/load-part.ts";
import { approvalsCount } from "../api/queries.ts";
import { countText } from "../parts/amounts.ts";
import { Button, ButtonLink } from "../parts/button.tsx";
import { Page } from "../parts/page.tsx";
import { Empty } from "../parts/state.tsx";
import { ConnectionBanner, Loading } from "./connection.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { groups, type Screen, screens } from "./screens.ts";
import { Shortcuts, useShortcuts } from "./shortcuts.tsx";
import { chooseTheme, type Theme, useTheme } from "./theme.ts";

const Connect = lazy(() => loadPart(() => import("../screens/apps/connect.tsx")));
const Palette = lazy(() => loadPart(() => import("./palette.tsx")));

/** Navigation and the chosen screen. */
export function Shell() {
  return (
    <ErrorBoundary>
      <Suspense fallback={<Loading lines={0} />}>
        <SignedIn />
      </Suspense>
    </ErrorBoundary>
  );
}

function SignedIn() {
  const me = useMe();
  const offered = useOffered();
  const deployment = useDeployment();
  const [path] = useLocation();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const onPalette = () => setPaletteOpen(true);
  useShortcuts(offered, screenAt(path), { onHelp: () => setHelpOpen(true), onPalette });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when another page is opened
  useEffect(() => setMenuOpen(false), [path]);
  const main = useRef<HTMLElement>(null);
  useKeptPage(main, path);
  return (
    <div className="shell" data-colour={deployment.colour}>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <header className="shell-bar">
        <Button
          icon={<MenuIcon size={16} aria-hidden />}
          label="Menu"
          kind="plain"
          onPress={() => setMenuOpen(true)}
        />
        <Brand />
      </header>
      <Navigation me={me} offered={offered} onHelp={() => setHelpOpen(true)} onPalette={onPalette} />
      <ModalOverlay className="drawer-overlay" isOpen={isMenuOpen} onOpenChange={setMenuOpen} isDismissable>
        <Modal className="drawer">
          <Dialog aria-label="Menu" style={{ height: "100%" }}>
            <Navigation me={me} offered={offered} onHelp={() => setHelpOpen(true)} onPalette={onPalette} />
          </Dialog>
        </Modal>
      </ModalOverlay>
      <main className="shell-main" id="main" tabIndex={-1} ref={main}>
        <ConnectionBanner />
        <ErrorBoundary key={path.split("/")[1]}>
          <Suspense fallback={<Loading lines={6} />}>
            <Switch>
              {offered.flatMap(({ path: own, more = [], load: Load }) =>
                [own, ...more].map((one) => (
                  <Route key={one} path={one}>
                    <Load />
                  </Route>
                )),
              )}
              <Route path="/connect">
                <Connect />
              </Route>
              <Route path="/sign-in">
                <Redirect to="/" />
              </Route>
              <Route>
                <NotOffered path={path} offered={offered} />
              </Route>
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </main>
      <Shortcuts screens={offered} isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
      {isPaletteOpen && (
        <Suspense fallback={null}>
          <Palette screens={offered} onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** Which deployment this is. */
function Brand() {
  const { name, colour } = useDeployment();
  return (
    <>
      <img src="/favicon.ico" alt="" />
      <span className="shell-name cut" data-colour={colour} title={name}>
        {name}
      </span>
    </>
  );
}

function useOffered(): readonly Screen[] {
  const may = useMay();
  return screens.filter(({ scopes }) => scopes.length === 0 || scopes.some((scope) => may(scope)));
}

const screenAt = (path: string): Screen | undefined =>
  screens.find((screen) => screen.path !== "/" && path.startsWith(screen.path)) ??
  (path === "/" ? screens[0] : undefined);

function Navigation({
  me,
  offered,
  onHelp,
  onPalette,
}: {
  readonly me: Me;
  readonly offered: readonly Screen[];
  readonly onHelp: () => void;
  readonly onPalette: () => void;
}) {
  const [path] = useLocation();
  const current = screenAt(path);
  return (
    <nav className="shell-nav" aria-label="Console">
      <div className="shell-brand">
        <Brand />
      </div>
      <div className="shell-links">
        {groups.map((group) => {
          const inGroup = offered.filter((screen) => screen.group === group);
          if (inGroup.length === 0) return null;
          return (
            <div key={group} className="shell-links">
              {group !== "Now" && <div className="shell-group">{group}</div>}
              {inGroup.map(({ path: to, title, icon: Icon }) => (
                <Link
                  key={to}
                  href={to}
                  className="shell-link"
                  {...(current?.path === to && { "aria-current": "page" as const })}
                >
                  <Icon size={16} aria-hidden />
                  {title}
                  {to === "/approvals" && <PendingCount />}
                </Link>
              ))}
            </div>
          );
        })}
      </div>
      <div className="shell-foot">
        <div className="shell-who cut" title={me.id ?? ""}>
          {me.name ?? me.id}
        </div>
        <Button kind="plain" size="small" icon={<Search size={14} aria-hidden />} onPress={onPalette}>
          Go to …
        </Button>
        <ThemeButton />
        <Button
          kind="plain"
          size="small"
          icon={<CircleQuestionMark size={14} aria-hidden />}
          onPress={onHelp}
        >
          Shortcuts
        </Button>
        <Button kind="plain" size="small" icon={<LogOut size={14} aria-hidden />} onPress={leave}>
          Sign out
        </Button>
      </div>
    </nav>
  );
}

function leave(): void {
  const endAt = credential()?.endAt;
  signOut();
  if (endAt !== undefined) location.assign(endAt);
}

const nextTheme: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };
const themeText: Readonly<Record<Theme, string>> = {
  system: "Theme: system",
  light: "Theme: light",
  dark: "Theme: dark",
};
const themeIcon = { system: SunMoon, light: Sun, dark: Moon };

function ThemeButton() {
  const theme = useTheme();
  const Icon = themeIcon[theme];
  return (
    <Button
      kind="plain"
      size="small"
      icon={<Icon size={14} aria-hidden />}
      onPress={() => chooseTheme(nextTheme[theme])}
    >
      {themeText[theme]}
    </Button>
  );
}

const PENDING_MS = 30_000;

function PendingCount() {
  const { data } = useQuery({ ...approvalsCount, refetchInterval: PENDING_MS });
  if (!data || data.count === 0) return null;
  return <span className="shell-count">{countText(data.count)}</span>;
}

/** What stands at an address of no screen, and of one that the reader may not see. */
function NotOffered({ path, offered }: { readonly path: string; readonly offered: readonly Screen[] }) {
  const screen = screenAt(path);
  if (screen && !offered.includes(screen)) {
    return (
      <Page title={screen.title}>
        <Empty title="You may not see this screen">
          <p>
            It takes the scope {screen.scopes.map((scope) => `“${scope}”`).join(" or ")}, which your
            credential does not have.
          </p>
        </Empty>
      </Page>
    );
  }
  return (
    <Page title="No such page">
      <Empty title="There is nothing at this address">
        <p>It may have been moved, or the address may be wrong.</p>
        <ButtonLink to="/">Go to Home</ButtonLink>
      </Empty>
    </Page>
  );
}
