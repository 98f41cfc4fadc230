package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.lately.Filter;
import dev.lately.Options;
import jakarta.servlet.ServletException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The filter answers 409 while a request is in progress, and runs the handler again only after a failure. */
class OnceTest {
    private final Options options = Options.window(Duration.ofMinutes(10)).lease(Duration.ofSeconds(30)).maxClaims(1).build();
    private final List<String> meanwhile = new ArrayList<>();
    private MockMvc mvc;
    private int calls;

    @RestController
    class Bank {
        @PostMapping("/pay")
        ResponseEntity<String> pay() throws Exception {
            calls++;
            if (calls == 1) {
                return ResponseEntity.status(502).body("the bank failed");
            }
            if (calls == 2) {
                throw new IllegalStateException("the bank is gone");
            }
            meanwhile.add(post("a")); // sent again while the first is in progress
            meanwhile.add(post("b"));
            return ResponseEntity.ok("paid");
        }
    }

    private String post(String id) throws Exception {
        var request = MockMvcRequestBuilders.post("/pay");
        MockHttpServletResponse answer =
                mvc.perform(id == null ? request : request.header("Idempotency-Key", id)).andReturn().getResponse();
        String text = answer.getErrorMessage() == null ? answer.getContentAsString() : answer.getErrorMessage();
        return answer.getStatus() + " " + text;
    }

    @Test
    void request_failedThenHandled_isHandledNoMore() throws Exception {
        try (Filter seen = new Filter(options)) {
            mvc = MockMvcBuilders.standaloneSetup(new Bank()).addFilters(new Once(seen)).build();
            assertEquals("502 the bank failed", post("a"));
            assertThrows(ServletException.class, () -> post("a"));
            assertEquals("200 paid", post("a"));
            assertEquals("409 in progress", meanwhile.get(0));
            assertEquals("503", meanwhile.get(1).substring(0, 3));
            assertEquals("200 done before", post("a"));
            assertEquals(3, calls);
        }
    }

    @Test
    void request_withoutKey_isHandledEachTime() throws Exception {
        try (Filter seen = new Filter(options)) {
            mvc = MockMvcBuilders.standaloneSetup(new Shop()).addFilters(new Once(seen)).build();
            assertEquals(List.of("200 sold", "200 sold"), List.of(post(null), post(null)));
            assertEquals(List.of("200 sold", "200 done before"), List.of(post("a"), post("a")));
        }
    }

    @RestController
    static class Shop {
        @PostMapping("/pay")
        String pay() {
            return "sold";
        }
    }
}
