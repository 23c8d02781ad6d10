"""What a submission may use, what it sees of the environment, and how a cell can end."""

from __future__ import annotations

from dataclasses import dataclass

# Variables that a student's process sees; everything else of the grader's environment stays out.
ENVIRONMENT = {
    "KERAS_BACKEND": "tensorflow",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_ENABLE_ONEDNN_OPTS": "0",
    "CUDA_VISIBLE_DEVICES": "",
    "MPLBACKEND": "Agg",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUTF8": "1",
    "LANG": "C.UTF-8",
}


@dataclass(frozen=True)
class Limits:
    """What one submission may use.

    Args:
        cell_seconds: Wall clock for one cell.
        call_seconds: Wall clock for one call that a case makes.
        submission_seconds: Wall clock for all cells and calls of a submission together.
        memory_mb: Private memory of one process; all of a submission together get 1.5 times this.
        output_bytes: How much of a cell's output is kept; the rest is dropped and the run goes on.
        file_mb: Largest file that may be written.
        processes: How many processes a submission may have at once.
        descriptors: How many files may be open.
        scratch_mb: All that a submission may have on disk at once.
    """

    cell_seconds: float = 30.0
    call_seconds: float = 10.0
    submission_seconds: float = 300.0
    memory_mb: int = 3000
    output_bytes: int = 1_000_000
    file_mb: int = 64
    processes: int = 32
    descriptors: int = 256
    scratch_mb: int = 256

    def to_wire(self) -> dict[str, int]:
        """The limits as jail and keeper read them."""
        return {
            "memory_bytes": self.memory_mb * 2**20,
            "memory_total": self.memory_mb * 2**20 * 3 // 2,
            "file_bytes": self.file_mb * 2**20,
            "cpu_seconds": int(self.submission_seconds * 4 + 10),
            "descriptors": self.descriptors,
            "processes": 4096,
            "processes_total": self.processes,
            "scratch_bytes": self.scratch_mb * 2**20,
        }


@dataclass(frozen=True)
class CellOutcome:
    """How running one cell ended.

    Args:
        status: "ok", "error", "timeout", "memory" or "died". After the last three, or where
            `alive` is false, the child is gone.
        error: `{"type", "message", "where", "traceback"}` for "error", a detail otherwise.
        stdout: What the cell printed, up to the limit.
        alive: Whether the child can go on.
        seconds: Wall clock.
    """

    status: str
    error: dict[str, str] | None = None
    stdout: str = ""
    alive: bool = True
    seconds: float = 0.0
