using System.Globalization;

namespace MqttCheck.Benchmarks.Conformance;

/// <summary>How faulty brokers are tried.</summary>
internal sealed record MutantOptions
{
    /// <summary>How long each is checked.</summary>
    public TimeSpan Time { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>The seeds, one check each.</summary>
    public IReadOnlyList<ulong> Seeds { get; init; } = [1, 2, 3];

    /// <summary>How many checks run at once.</summary>
    public int Jobs { get; init; } = 2;

    /// <summary>Which of them; null for all.</summary>
    public IReadOnlyList<string>? Only { get; init; }

    /// <summary>The classes that are tried; null for all.</summary>
    public IReadOnlyList<FaultClass>? Classes { get; init; }

    /// <summary>Which part of them, from 1, and of how many: a part of a machine's time is enough for each.</summary>
    public (int Number, int Of) Part { get; init; } = (1, 1);

    /// <summary>
    /// Over loopback and in real time; otherwise over wires in memory whose time passes only while all wait.
    /// </summary>
    public bool IsLive { get; init; }

    /// <summary>Whether each finding is listed behind the table.</summary>
    public bool ListsFindings { get; init; }

    /// <summary>
    /// How long a byte is under way in memory: with 3 ms a check runs about as many commands a second as on Mosquitto.
    /// </summary>
    public TimeSpan Latency { get; init; } = TimeSpan.FromMilliseconds(3);

    /// <summary>Reads <c>name=value</c> arguments.</summary>
    /// <param name="args">The arguments.</param>
    public static MutantOptions Parse(string[] args)
    {
        var options = new MutantOptions();
        foreach (var arg in args)
        {
            options = arg.Split('=', 2) switch
            {
                ["seconds", var text] => options with
                {
                    Time = TimeSpan.FromSeconds(double.Parse(text, CultureInfo.InvariantCulture)),
                },
                ["seeds", var text] => options with
                {
                    Seeds = [.. text.Split(',').Select(seed => ulong.Parse(seed, CultureInfo.InvariantCulture))],
                },
                ["jobs", var text] => options with { Jobs = int.Parse(text, CultureInfo.InvariantCulture) },
                ["latency-ms", var text] => options with
                {
                    Latency = TimeSpan.FromMilliseconds(double.Parse(text, CultureInfo.InvariantCulture)),
                },
                ["classes", var text] => options with
                {
                    Classes = [.. text.Split(',').Select(name => Enum.Parse<FaultClass>(name, ignoreCase: true))],
                },
                ["part", var text] when text.Split('/') is [var number, var of] => options with
                {
                    Part = (
                        int.Parse(number, CultureInfo.InvariantCulture),
                        int.Parse(of, CultureInfo.InvariantCulture)
                    ),
                },
                ["only", var text] => options with { Only = text.Split(',') },
                ["findings"] => options with { ListsFindings = true },
                ["live"] => options with { IsLive = true },
                _ => throw new ArgumentException(
                    $"'{arg}' is not known; there are seconds=N, seeds=N,N, "
                        + "jobs=N, latency-ms=N, classes=CLASS,CLASS, part=I/N, only=NAME,NAME, findings and live."
                ),
            };
        }
        return options;
    }
}
