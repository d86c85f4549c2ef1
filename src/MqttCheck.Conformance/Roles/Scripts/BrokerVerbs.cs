namespace MqttCheck.Conformance.Roles.Scripts;

/// <summary>The language of a broker's part: each verb with the words that may follow it.</summary>
internal static class BrokerVerbs
{
    public const string Accept = "accept",
        Refuse = "refuse",
        Await = "await",
        Hold = "hold",
        Release = "release",
        Answer = "answer",
        Send = "send",
        Malformed = "malformed",
        Close = "close",
        Disconnect = "disconnect",
        Wait = "wait";

    /// <summary>Packets that <c>await</c> can name.</summary>
    public static readonly string[] Awaited =
    [
        "publish",
        "subscribe",
        "puback",
        "pubrec",
        "pubrel",
        "pubcomp",
        "pingreq",
    ];

    /// <summary>The flags of each verb.</summary>
    public static readonly IReadOnlyDictionary<string, string[]> Flags = new Dictionary<string, string[]>
    {
        [Accept] = ["absent", "present", "no-retain"],
        [Refuse] = [],
        [Await] = Awaited,
        [Hold] = ["puback", "pubrec", "pubcomp"],
        [Release] = [],
        [Answer] = ["properties"],
        [Send] = ["retain", "alias", "twice"],
        [Malformed] = [],
        [Close] = [],
        [Disconnect] = [],
        [Wait] = [],
    };

    /// <summary>Whether an act has the words that its verb needs.</summary>
    public static bool IsWhole(BrokerAct act) =>
        act.Verb switch
        {
            Await => Awaited.Any(act.Has),
            Wait => act.Number("ms") is not null,
            Malformed => act.Words.Count == 1,
            _ => true,
        };

    /// <summary>The numbers of each verb with their bounds.</summary>
    public static readonly IReadOnlyDictionary<string, (string Name, int Least, int Most)[]> Numbers = new Dictionary<
        string,
        (string, int, int)[]
    >
    {
        [Accept] =
        [
            ("window", 1, 65535),
            ("max", 20, 1_000_000),
            ("aliases", 0, 65535),
            ("qos", 0, 1),
            ("keepalive", 1, 60),
            ("split", 1, 100),
        ],
        [Refuse] = [("code", 128, 159)],
        [Await] = [("count", 1, 1000)],
        [Hold] = [],
        [Release] = [],
        [Answer] = [("code", 128, 153)],
        [Send] = [("qos", 0, 2), ("count", 1, 100), ("size", 1, 100_000), ("split", 1, 1000)],
        [Malformed] = [],
        [Close] = [],
        [Disconnect] = [("code", 128, 162)],
        [Wait] = [("ms", 1, 60_000)],
    };
}
