"""English options that speak of others, as regular expressions of their plain form."""

NOUNS = "options?|answers?|choices?|alternatives?|responses?|statements?|items?|letters?|possibilities"

_GIVEN = "(?: (?:above|below|given|listed|provided|mentioned|stated)){0,2}"
_OTHERS = (
    rf"(?:above|below|these|those|them|preceding|previous|foregoing|following|others?"
    rf"|(?:(?:the|these|those|other|above|listed|given|preceding|previous|following|remaining) )*"
    rf"(?:options|answers|choices|alternatives|responses|statements|possibilities)){_GIVEN}"
)
_CORRECT = "(?:are|is)(?: all)? (?:correct|true|right|incorrect|false|wrong)"
_COUNT = "(?:only |exactly |at least |at most |more than |any )?(?:any|some|one|two|three|most|several)"
_ONE = "(?:one|option|answer|choice|statement)"

ALL = (
    rf"(?:all(?: two| three| four| five)?|each|every one)(?: of)? (?:the )?{_OTHERS}|every (?:option|answer|choice|one)"
    rf"|all (?:two|three|four|five)|all {_CORRECT}|everything above"
)
NONE = (
    rf"(?:none|not any)(?: of)? (?:the )?{_OTHERS}"
    rf"|(?:there is )?no (?:correct |right )?(?:answer|option|choice)(?: given| above)?"
    rf"|none {_CORRECT}|not (?:listed|given)(?: above| here)?"
)
SOME = rf"{_COUNT}(?: one)?(?: of)? (?:the )?{_OTHERS}"
PLACES = (
    rf"(?:(?:the|both) )?(?:previous|preceding) (?:(?:two|three) )?{_ONE}s?"
    rf"|the {_ONE} (?:above|below|before)|the (?:former|latter)"
    "|(?:only |both |either of |neither of )?(?:the )?(?:first|last|above) (?:two|three)"
    "(?: (?:of )?(?:the )?(?:above|options|answers|choices))?"
)
PAIR = rf"(?:both|either|neither)(?: one)?(?:(?: of)? (?:the )?(?:two )?{_OTHERS}| of the two)?(?: two)?"
BARE = "all|any|none|everything"
ENDS = (
    "(?: (?:is|are|apply|applies)(?: all)?| equally| about equally)?"
    "(?: (?:a )?(?:correct|true|right|false|incorrect|wrong|apply)(?: (?:statements?|answers?|options?))?)?"
)
GOES_ON = "is|are|may|can|could|would|do|does|works?"
