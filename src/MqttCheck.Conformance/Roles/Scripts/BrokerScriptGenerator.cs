using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Conformance.Roles.Scripts;

/// <summary>Draws the parts that a broker plays. Each number of a seed has one part.</summary>
internal static class BrokerScriptGenerator
{
    private const int Subjects = 9;
    private static readonly string[] s_acknowledgements = ["puback", "pubrec", "pubcomp"];
    private static readonly string[] s_limits =
    [
        "window=1",
        "window=2",
        "qos=0",
        "qos=1",
        "no-retain",
        "max=30",
        "max=100",
        "aliases=1",
    ];
    private static readonly int[] s_codes = [0x80, 0x87, 0x97];

    /// <summary>The part of a number; its subject goes round, so that a few parts have all subjects.</summary>
    public static BrokerScript Draw(ulong seed, int number, bool withMalformed = true)
    {
        var random = RandomStream.For(seed, (ulong)number);
        var subject = number % Subjects;
        List<string> lines = (subject is 3 or 8 && !withMalformed ? 1 : subject) switch
        {
            0 => Resend(ref random),
            1 => Deliveries(ref random),
            2 => Limits(ref random),
            3 or 8 => Malformed(ref random, number / Subjects * 2 + subject / 8),
            4 => Resend(ref random),
            5 => KeepAlive(ref random),
            6 => Errors(ref random),
            _ => LostSession(ref random),
        };
        return BrokerScript.Parse(string.Join('\n', lines), "generated");
    }

    // The end of a connection with exchanges open, at every stage of them.
    private static List<string> Resend(ref RandomStream random)
    {
        var held = s_acknowledgements[random.NextInt(3)];
        List<string> lines =
        [
            Accept(ref random, ""),
            $"hold {held}",
            Invariant($"await {(held == "pubcomp" ? "pubrel" : "publish")} count={1 + random.NextInt(4)}"),
        ];
        if (random.NextInt(2) == 0)
            lines.Add(Invariant($"send qos={1 + random.NextInt(2)} count={1 + random.NextInt(3)}"));
        if (random.NextInt(3) == 0)
            lines.Add("await puback");
        lines.Add(random.NextInt(3) == 0 ? "disconnect code=139" : "close");
        lines.Add(Accept(ref random, ""));
        if (random.NextInt(2) == 0)
            lines.AddRange(["release", "await publish count=2"]);
        if (random.NextInt(3) == 0)
            lines.AddRange(["wait ms=1200", "close", Accept(ref random, "")]);
        return lines;
    }

    private static List<string> Deliveries(ref RandomStream random)
    {
        List<string> lines = [Accept(ref random, ""), "await subscribe"];
        for (var i = random.NextInt(3) + 2; i > 0; i--)
        {
            var words = Invariant($"send qos={random.NextInt(3)} count={1 + random.NextInt(5)}");
            if (random.NextInt(3) == 0)
                words += Invariant($" split={1 + random.NextInt(7)}");
            if (random.NextInt(4) == 0)
                words += Invariant($" size={1 << random.NextInt(16)}");
            if (random.NextInt(3) == 0)
                words += " alias";
            if (random.NextInt(4) == 0)
                words += " retain";
            if (random.NextInt(3) == 0)
                words += " twice";
            lines.Add(words);
        }
        if (random.NextInt(2) == 0)
            lines.AddRange(["close", Accept(ref random, "")]);
        return lines;
    }

    private static List<string> Limits(ref RandomStream random)
    {
        var limits = s_limits[random.NextInt(s_limits.Length)];
        foreach (var other in s_limits)
            if (random.NextInt(5) == 0 && !limits.Contains(other.Split('=')[0], StringComparison.Ordinal))
                limits += " " + other;
        List<string> lines =
        [
            Accept(ref random, limits),
            "hold puback pubrec",
            Invariant($"await publish count={3 + random.NextInt(6)}"),
            "release",
            "await publish count=3",
        ];
        if (random.NextInt(2) == 0)
            lines.AddRange(["close", Accept(ref random, limits), "await publish count=3"]);
        return lines;
    }

    // The names go round, so that a check has all of them.
    private static List<string> Malformed(ref RandomStream random, int place)
    {
        var names = HostilePackets.Names;
        List<string> lines = [Accept(ref random, "")];
        if (random.NextInt(2) == 0)
            lines.Add("await subscribe");
        lines.Add($"malformed {names[place % names.Count]}");
        if (random.NextInt(2) == 0)
            lines.AddRange([Accept(ref random, ""), "await publish"]);
        return lines;
    }

    private static List<string> KeepAlive(ref RandomStream random) =>
        [Accept(ref random, "keepalive=1"), Invariant($"wait ms={4000 + random.NextInt(2000)}")];

    private static List<string> Errors(ref RandomStream random) =>
        random.NextInt(3) == 0
            ? ["refuse code=137", Accept(ref random, ""), "await publish count=2"]
            :
            [
                Accept(ref random, ""),
                Answer(ref random),
                Invariant($"await publish count={2 + random.NextInt(3)}"),
                "answer",
                "await publish",
                "wait ms=1200",
                "close",
                Accept(ref random, ""),
                "await publish",
            ];

    private static string Answer(ref RandomStream random)
    {
        var line = Invariant($"answer code={s_codes[random.NextInt(s_codes.Length)]}");
        return random.NextInt(2) == 0 ? line + " properties" : line;
    }

    private static List<string> LostSession(ref RandomStream random) =>
        random.NextInt(4) == 0
            ? [Accept(ref random, "present")]
            :
            [
                Accept(ref random, ""),
                $"hold {s_acknowledgements[random.NextInt(3)]}",
                Invariant($"await publish count={1 + random.NextInt(3)}"),
                "close",
                Accept(ref random, "absent"),
                "release",
                "await publish count=2",
            ];

    private static string Accept(ref RandomStream random, string word)
    {
        var line = word.Length > 0 ? $"accept {word}" : "accept";
        if (random.NextInt(6) == 0)
            line += Invariant($" split={1 + random.NextInt(3)}");
        return line;
    }
}
