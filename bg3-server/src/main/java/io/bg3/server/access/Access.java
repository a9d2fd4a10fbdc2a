package io.bg3.server.access;

import io.bg3.server.dispatch.OwnerLimits;
import java.util.Optional;

/**
 * The access control of a server: how clients log in, what the audit log records, and what browsers
 * may send.
 *
 * @param logins how users log in; empty for a server without users, which accepts every client
 * @param audit the audit log
 * @param rules the checks of requests that a browser may have sent
 * @param limits what the queries of a user may take that has no limits of its own, and those of an
 *     address on a server without users
 */
public record Access(
    Optional<Logins> logins, AuditLog audit, BrowserRules rules, OwnerLimits limits) {}
