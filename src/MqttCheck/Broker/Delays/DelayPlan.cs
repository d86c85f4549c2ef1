using System.Globalization;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Broker.Delays;

/// <summary>
/// How long the broker waits before it answers or delivers, as laws in milliseconds, and when it stalls.
/// </summary>
public sealed class DelayPlan
{
    private static readonly string[] Names =
    [
        "connack",
        "suback",
        "unsuback",
        "puback",
        "qos2",
        "publish",
        "pingresp",
        "close",
    ];
    private static readonly ConstantLaw NoDelay = new(0);

    private readonly Law[] _laws;
    private readonly Stall[] _stalls;
    private readonly string _text;

    private DelayPlan(Law[] laws, Stall[] stalls, double load, string text) =>
        (_laws, _stalls, Load, _text) = (laws, stalls, load, text);

    /// <summary>No delay.</summary>
    public static DelayPlan None { get; } = new([.. Names.Select(_ => NoDelay)], [], 0, "none");

    /// <summary>Whether there is neither a delay nor a stall.</summary>
    public bool IsEmpty => _stalls.Length == 0 && Array.TrueForAll(_laws, law => law == NoDelay);

    /// <summary>The stalls in order of time.</summary>
    public IReadOnlyList<Stall> Stalls => _stalls;

    /// <summary>
    /// By what share each delay is longer for every request of any connection whose answer is held back when it is
    /// drawn: 0.1 makes it twice as long behind ten others.
    /// </summary>
    public double Load { get; }

    /// <summary>The law of one kind of answer, in milliseconds.</summary>
    /// <param name="answer">A defined kind.</param>
    public Law Of(DelayedAnswer answer) => _laws[(int)answer];

    /// <summary>
    /// Reads items separated by semicolons: a law for everything (<c>lognormal:5ms,0.5</c>, <c>none</c>), a law for one
    /// kind (<c>publish=constant:3ms</c>; kinds are connack, suback, unsuback, puback, qos2, publish, pingresp, close),
    /// a stall of 2 s from second 10 (<c>stall=2s@10s</c>), delays that grow with the load (<c>load=0.1</c>:
    /// <see cref="Load"/>). Later items change what earlier ones said.
    /// </summary>
    /// <param name="text">For example <c>lognormal:5ms,0.5;pingresp=none;stall=2s@10s</c>.</param>
    /// <param name="where">The origin of the text, for the message.</param>
    /// <exception cref="InputException">An unknown kind, or what is not a law or a time.</exception>
    public static DelayPlan Parse(string text, string where)
    {
        if (string.IsNullOrWhiteSpace(text))
            throw new InputException($"{where}: '{text}' given; allowed: none, or a law such as lognormal:5ms,0.5.");
        var laws = None._laws.ToArray();
        var stalls = new List<Stall>();
        var load = 0.0;
        foreach (var item in text.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            var parts = item.Split('=', 2, StringSplitOptions.TrimEntries);
            if (parts.Length == 1)
                Array.Fill(laws, LawText.Parse(item, where));
            else if (parts[0] == "stall")
                stalls.Add(ParseStall(parts[1], where));
            else if (parts[0] == "load")
                load = ParseLoad(parts[1], where);
            else if (Array.IndexOf(Names, parts[0]) is >= 0 and var kind)
                laws[kind] = LawText.Parse(parts[1], $"{where}, {parts[0]}");
            else
                throw new InputException(
                    $"{where}: there is no delay of '{parts[0]}'; there are {string.Join(", ", Names)}, stall and load."
                );
        }
        return new DelayPlan(laws, [.. stalls.OrderBy(stall => stall.FromNanoseconds)], load, text);
    }

    /// <summary>The plan as it was given.</summary>
    public override string ToString() => _text;

    private static Stall ParseStall(string text, string where)
    {
        var parts = text.Split('@');
        if (parts.Length == 2 && Nanoseconds(parts[0]) is { } length && Nanoseconds(parts[1]) is { } from)
            return new Stall(from, length);
        throw new InputException(
            $"{where}: '{text}' is not a stall; the form is LENGTH@START, "
                + "for example 2s@10s (units ms, s; at most a day each)."
        );
    }

    private static double ParseLoad(string text, string where) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var load)
        && load <= 1000
            ? load
            : throw new InputException(
                $"{where}: load={text} given; allowed is a number from 0 to 1000: the "
                    + "share by which a delay is longer for each answer that is held back."
            );

    private static long? Nanoseconds(string text)
    {
        var (digits, unit) =
            text.EndsWith("ms", StringComparison.Ordinal) ? (text[..^2], 1e6)
            : text.EndsWith('s') ? (text[..^1], 1e9)
            : ("", 0);
        return
            double.TryParse(digits, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var value)
            && value * unit <= 86_400e9
            ? (long)(value * unit)
            : null;
    }
}
