"""The lines of the text mails in the collections that are their writers' own, counted from 1; read off by eye."""

from collections.abc import Mapping
from typing import TypeAlias

Regions: TypeAlias = tuple[tuple[int, int], ...]
"""First and last line of each region."""


def _regions(listed: str) -> dict[str, Regions]:
    """One mail a line: its name without `.txt`, then its regions."""
    return {f"{name}.txt": tuple(map(_region, regions)) for name, *regions in map(str.split, listed.strip().split("\n"))}


def _region(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    return int(first), int(last or first)


TEMPLATES = ("email_with_date_headers.txt", "email_with_from_headers.txt")
"""No mails: `[DATE]` and `[FROM]` in them stand for something else."""

CRISP: Mapping[str, Regions] = _regions(
    """
    correct_sig 1
    email_1 1-5
    email_2 1 9-34
    email_2_1 1
    email_3 1-3
    email_4 1
    email_5 1-15
    email_6 1
    email_19 1
    email_20 1
    email_21 1-638
    email_blackberry 1
    email_bullets 1-9
    email_custom_quote_header 1
    email_customer_quote_header_2 1
    email_customer_quote_header_3 1-3
    email_emoji 1
    email_iphone 1
    email_multi_word_sent_from_my_mobile_device 1
    email_not_a_signature 1-16
    email_not_a_signature_2 1-10
    email_one_is_not_on 1-5
    email_reply_header 1-11
    email_sent_from 1
    email_sent_from_my_not_signature 1-3
    email_thread 1
    email_tricky_1_on_false_positive 1-6
    email_tricky_2_url_with_wrote 1-5
    email_tricky_3_code_block 1-12
    email_tricky_4_from_in_body 1-5
    email_tricky_6_regards_in_sentence 1-7
    email_tricky_7_multiple_dashes 1-15
    email_tricky_8_sent_from_in_content 1-5
    email_tricky_9_nested_quotes 1
    email_tricky_11_double_signature 1
    email_tricky_16_unicode_signatures 1
    email_tricky_17_forward_header 1
    email_tricky_18_inline_reply 4 8 12
    email_tricky_19_quote_without_header 1 7 12
    email_tricky_20_html_entities 1-3
    email_unquoted_reply 1
    email_with_regards 1-5
    email_zoho 1-2
    sig_no_empty_line 1
    """
)
"""The other mails of this collection begin with the same five lines of Latin, which are their writers' own."""

CRISP_OTHERS: Regions = ((1, 5),)

DISCOURSE: Mapping[str, Regions] = _regions(
    """
    embedded_email_7 1 7-11
    embedded_email_16 10-11
    embedded_email_17 20-37
    embedded_email_18
    embedded_email_french_2 21
    embedded_email_german_2 1
    embedded_email_quote_text 9-10
    forwarded_message
    quote_and_text 3
    quote_only
    signatures 1
    spam_1
    """
)
"""Mails whose own lines are not the beginning that the collection calls trimmed. Some have none at all."""


UNPARTED = frozenset(
    {
        "email_tricky_13_timestamp_variations.txt",
        "email_tricky_2_url_with_wrote.txt",
        "email_with_regards.txt",
        "jeff_body",
        "johndoeexamplecom_body",
        "long_body",
        "short_url_body",
    }
)
"""Mails in which nothing but a name parts their writers' words from what would be quoted below: nobody could tell an older answer there."""
