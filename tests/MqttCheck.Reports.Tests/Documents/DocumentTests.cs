using MqttCheck.Reports.Documents;

namespace MqttCheck.Reports.Tests.Documents;

[TestFixture]
internal sealed class DocumentTests
{
    [Test]
    public void A_page_needs_nothing_else_and_escapes_its_data()
    {
        var page = Written.Page(Document());
        Assert.That(page, Does.StartWith("<!doctype html>").And.EndWith("</html>\n"));
        Assert.That(page, Does.Contain("a &lt;b&gt; | c").And.Contain("&lt;x&gt;\n  B").And.Not.Contain("<b>"));
        Assert.That(
            page,
            Does.Not.Contain("http:").And.Not.Contain("https:").And.Not.Contain("<script").And.Not.Contain("NaN")
        );
        Assert.That(page, Does.Contain("0.250 to 0.750").And.Contain("Dashed line: required, 0.9."));
    }

    [Test]
    public void A_document_without_data_is_a_page_too()
    {
        var empty = Document() with
        {
            Sections =
            [
                new(
                    "Nothing",
                    "There is nothing.",
                    [new DocumentTable("empty", ["what"], []), new IntervalChart("none", "", 0, 1, [])]
                ),
            ],
        };
        Assert.That(Written.Page(empty), Does.Contain("There is nothing."));
    }

    [Test]
    public void Markdown_says_the_same()
    {
        Assert.That(
            Written.Markdown(Document()),
            Is.EqualTo(
                """
                # Is it?

                **It is.** So it is.

                1970-01-01 00:00 UTC, MqttCheck 0.1.0.

                > **Note.** Mind the gap.

                ## Section

                What it means.

                | what | value |
                |---|---|
                | a &lt;b\> \| c | 1 |

                Shares. By run. Dashed line: required, 0.9.

                |  | estimate | interval |
                |---|---|---|
                | run 1 | 0.500 | 0.250 to 0.750 |
                | run 2 | – |  |

                Transcript:

                    A --> <x>
                      B

                To repeat it:

                    mqttcheck run

                """.ReplaceLineEndings("\n")
            )
        );
    }

    private static ReportDocument Document() =>
        new()
        {
            Title = "Is it?",
            Headline = "It is",
            Tone = DocumentTone.Good,
            Lead = "So it is.",
            GeneratedUtc = DateTimeOffset.UnixEpoch,
            ToolVersion = "0.1.0",
            Warnings = ["mind the gap"],
            Sections =
            [
                new(
                    "Section",
                    "What it means.",
                    [
                        new DocumentTable(
                            "Table",
                            ["what", "value"],
                            [
                                ["a <b> | c", "1"],
                            ]
                        ),
                        new IntervalChart(
                            "Shares",
                            "By run.",
                            0,
                            1,
                            [
                                new("run 1", .5, new(.25, .75), DocumentTone.Plain),
                                new("run 2", double.NaN, null, DocumentTone.Warning),
                            ]
                        )
                        {
                            Marks = [new("required", .9)],
                            Band = new(.8, .9),
                        },
                        new DocumentListing("Transcript", ["A --> <x>", "  B"]),
                        new DocumentCommand("To repeat it", "mqttcheck run"),
                    ]
                ),
            ],
        };
}
