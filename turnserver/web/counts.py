"""Counts of requests since the process began, and how Prometheus reads them."""

from collections import Counter
from collections.abc import Iterator
from threading import Lock


class Counts:
    """Requests by route and status, and the seconds that they took. Threads may share one."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._lock = Lock()
        self.under_way = 0
        self._requests: Counter[tuple[str, int]] = Counter()
        self._seconds: dict[tuple[str, int], float] = {}

    def begin(self) -> None:
        """Note that a request has come."""
        with self._lock:
            self.under_way += 1

    def end(self, route: str, status: int, seconds: float) -> None:
        """Count a request. `route` is empty if it was for no page of ours; `status` is 0 if its sender went away before the answer."""
        with self._lock:
            self.under_way -= 1
            self._requests[route, status] += 1
            self._seconds[route, status] = self._seconds.get((route, status), 0.0) + seconds

    def lines(self) -> Iterator[str]:
        """Return the counts in the text format of Prometheus."""
        with self._lock:
            requests, seconds, under_way = dict(self._requests), dict(self._seconds), self.under_way
        yield "# HELP turnserver_requests_under_way Requests for pages that are not answered yet."
        yield "# TYPE turnserver_requests_under_way gauge"
        yield f"turnserver_requests_under_way {under_way}"
        yield "# HELP turnserver_request_seconds Requests for pages, and how long they took, by route and status."
        yield "# TYPE turnserver_request_seconds summary"
        for (route, status), count in sorted(requests.items()):
            labels = f'{{route="{route}",status="{status}"}}'
            yield f"turnserver_request_seconds_count{labels} {count}"
            yield f"turnserver_request_seconds_sum{labels} {seconds[route, status]:.6f}"
