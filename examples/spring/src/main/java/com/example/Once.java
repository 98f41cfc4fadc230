package com.example;

import dev.lately.Claim;
import dev.lately.Filter;
import dev.lately.LatelyException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Handles each request once, by its Idempotency-Key. */
@Component
public class Once extends OncePerRequestFilter {
    private final Filter seen;

    public Once(Filter seen) {
        this.seen = seen;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain next)
            throws ServletException, IOException {
        String id = request.getHeader("Idempotency-Key");
        if (id == null) {
            next.doFilter(request, response);
            return;
        }
        Claim claim;
        try {
            claim = seen.claim(id);
        } catch (LatelyException error) { // FULL: more than maxClaims requests are in progress
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE, error.getMessage());
            return;
        }
        try (claim) { // if the handler throws it is abandoned; nothing after a commit
            switch (claim.verdict()) {
                case PENDING -> response.sendError(HttpServletResponse.SC_CONFLICT, "in progress");
                case DUPLICATE -> response.getWriter().print("done before");
                default -> {
                    next.doFilter(request, response);
                    if (response.getStatus() < 500) {
                        commit(claim);
                    }
                }
            }
        }
    }

    private void commit(Claim claim) {
        try {
            claim.commit();
        } catch (LatelyException error) {
            logger.warn("the request was handled, and may be again", error);
        }
    }
}
