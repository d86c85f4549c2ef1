using System.Globalization;

namespace MqttCheck.Requirements;

/// <summary>How often independent cases must succeed, and how sure a verdict about that is.</summary>
internal sealed record ProbabilityOptions
{
    /// <summary>The required probability p, in (0, 1).</summary>
    public required double AtLeast { get; init; }

    /// <summary>
    /// How far below p the truth must lie to be found a violation for sure: greater than 0 and less than p. Null, the
    /// default, is the smaller of .1, 1 - p and p / 2.
    /// </summary>
    public double? Within { get; init; }

    /// <summary>The largest probability of each wrong verdict, in (0, .5). Default .01.</summary>
    public double Error { get; init; } = .01;

    /// <summary>The largest number of cases, at least 1; null, the default, for as many as a verdict takes.</summary>
    public long? MaxCases { get; init; }

    /// <summary>The distance that applies.</summary>
    public double EffectiveWithin => Within ?? Math.Min(.1, Math.Min(1 - AtLeast, AtLeast / 2));

    /// <summary>p minus the distance.</summary>
    public double Low => AtLeast - EffectiveWithin;

    /// <summary>The error and its assumption, in one sentence without a full stop.</summary>
    public string Promise =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"a test passes although the truth is {Low:0.######} or less, or fails although it is {AtLeast} "
                + $"or more, with a probability of at most {Error} each, if cases are independent of each other"
        );

    /// <summary>Every error in these options: what, the value given, the allowed range, where.</summary>
    /// <param name="where">The origin of the options.</param>
    /// <returns>One message per error; empty when all is well.</returns>
    public IReadOnlyList<string> Validate(string where) =>
        OptionChecks.Findings(
            where,
            (
                AtLeast is > 0 and < 1,
                "the required probability (atLeast)",
                AtLeast,
                "greater than 0 and less than 1 (one failing case would decide against 1)"
            ),
            (
                Within is not { } within || (within > 0 && within < AtLeast),
                "the distance (within)",
                Within ?? 0,
                "greater than 0 and less than atLeast"
            ),
            (Error is > 0 and < .5, "the error", Error, "greater than 0 and less than 0.5"),
            (MaxCases is not < 1, "the largest number of cases (maxCases)", MaxCases ?? 0, "at least 1")
        );
}
