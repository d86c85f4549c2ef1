using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Reports.Formats;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Server.Answers;

/// <summary>A prediction in a sentence that needs no other word of this program.</summary>
internal static class AnswerSentence
{
    private static readonly string[] s_numbers =
    [
        "no",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
    ];

    /// <summary>
    /// For example "310 clients: 98 of 100 sequences of ten messages have every answer within 20 ms (95 % interval 80
    /// to 100)".
    /// </summary>
    /// <param name="population">Who the clients are.</param>
    /// <param name="point">The prediction.</param>
    /// <param name="level">The level of its interval.</param>
    public static string Of(Population population, PredictedPoint point, double level) =>
        Invariant($"{Words.Counted(point.Clients, "client")}: {Words.OfHundred(point.Probability)} of 100 sequences ")
        + $"{Messages(population)} have every answer within {Words.Milliseconds(point.ThresholdMilliseconds)} "
        + $"({Words.Percent(level)} interval {Ends(point.Interval)})";

    // An end may be at 0 or 100 by rounding: the interval only gets wider.
    private static string Ends(Interval interval) =>
        Invariant($"{Math.Floor(100 * interval.Lower):0} to {Math.Ceiling(100 * interval.Upper):0}");

    private static string Messages(Population population)
    {
        var lengths = population.Groups.Select(group => group.Profile.SequenceLength).Distinct().Order().ToArray();
        if (lengths is not [var only])
            return $"of {lengths[0]} to {lengths[^1]} messages";
        var number = only < s_numbers.Length ? s_numbers[only] : Words.Count(only);
        return only == 1 ? "of one message" : $"of {number} messages";
    }
}
