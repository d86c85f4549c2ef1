using MqttCheck.Reports.Documents;
using MqttCheck.Reports.Documents.Lanes;

namespace MqttCheck.Reports.Tests.Documents.Lanes;

/// <summary>A document with every block of a cluster's page, and with long words in it.</summary>
internal static class LaneSamples
{
    private static readonly LanePicture s_picture = new(
        "Run 1: 43 messages, 3 lost",
        "A lane for each node, time to the right.",
        30,
        [
            new(
                "hub",
                ["was killed at 10.0 s, was back at 20.0 s"],
                [new(1 / 3.0, 2 / 3.0)],
                [new("lost", LaneColour.Bad, [0, 0, 3, 0, 0, 0]), new("in time", LaneColour.Good, [20, 18, 0, 0, 1, 1])]
            ),
            new("a-node-with-a-long-name-" + new string('n', 60), [], [], []),
        ]
    )
    {
        Meanings =
        [
            new("lost", "the broker acknowledged it, and a reader never got it", LaneColour.Bad),
            new("in time", "every reader got it once", LaneColour.Good),
        ],
        Moments = [1 / 3.0, 2 / 3.0],
    };

    private static readonly DocumentStory s_story = new(
        "durability: an acknowledged message never came to a session, 3 times",
        "hall-3 #17 on " + new string('t', 150) + " was acknowledged and never came to reader desks-1",
        [new("10.000 s", "hub was killed"), new("12.345 s", "hall-3 published it at hub with QoS 1")]
    );

    public static ReportDocument Document() =>
        new()
        {
            Title = "Does cluster plant do what is asked of it?",
            Headline =
                "No: when hub dies, 3 of 43 acknowledged messages are lost; all of them were published while hub was "
                + "away",
            Tone = DocumentTone.Bad,
            Lead = "1 live run of 30 s.",
            GeneratedUtc = DateTimeOffset.UnixEpoch,
            ToolVersion = "0.1.0",
            Sections =
            [
                new(
                    "What became of each message",
                    "Shaded times are faults.",
                    [s_picture, new DocumentFold("Run 2", [s_picture]), new DocumentNote("3 runs are not drawn.")]
                ),
                new(
                    "What went wrong",
                    "Each kind.",
                    [s_story, new DocumentFold("1 more of 'durability'", [s_story, s_story])]
                ),
                new(
                    "What was asked",
                    "Each property.",
                    [
                        new DocumentTable(
                            "Properties",
                            ["property", "verdict", "why"],
                            [
                                [
                                    "P>=0.9[ lost = 0 & duplicates = 0 & blackout < 10s ]",
                                    "withheld approximately",
                                    string.Join(' ', Enumerable.Repeat("that it holds takes 13 runs at least", 8)),
                                ],
                            ]
                        )
                        {
                            IsText = true,
                        },
                    ]
                ),
                new(
                    "Runs",
                    "What each run counted.",
                    [
                        new DocumentTable(
                            "Counts of each run",
                            [.. Enumerable.Range(0, 11).Select(column => $"column number {column}")],
                            [
                                [.. Enumerable.Range(0, 11).Select(column => $"{column}234567")],
                            ]
                        )
                        {
                            IsText = true,
                        },
                    ]
                ),
                new(
                    "The cluster and its links",
                    "What entered each link.",
                    [
                        new NetworkPicture(
                            "plant",
                            "A thicker line carried more.",
                            ["hub", "office", "a-very-long-name-of-a-node"],
                            [new(0, 1, 12_345), new(0, 2, 3)]
                        )
                        {
                            Disturbed = new HashSet<int> { 0 },
                        },
                    ]
                ),
            ],
        };
}
