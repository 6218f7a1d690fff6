"""What a browser may ask to be kept, checked when it comes, and what becomes of it in the store."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(max_length=300)]


class Saying(BaseModel):
    """A remark as it is asked for. Who says it and when, and what stands in the line, is not the browser's to say."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(pattern=r"^[0-9a-z-]{8,64}$")]
    student: Name
    lab: Name
    kind: Literal["comment", "reviewed", "answer", "withdraw", "edit"]
    text: Annotated[str, Field(max_length=4000)] = ""
    points: Annotated[str, Field(pattern=r"^(-?[0-9]{1,4}(\.[0-9]{1,2})?)?$")] = ""
    file: Name = ""
    line: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    hand_in: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")] = ""
    about: Annotated[str, Field(max_length=80)] = ""  # of "withdraw" and "edit": the id of the words that were read
