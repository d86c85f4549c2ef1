using System.Globalization;

namespace MqttCheck.Checking;

/// <summary>What the error of a requirement is worth, in words: the assumption under which it holds, and what the runs cannot exclude.</summary>
public static class RequirementPromise
{
    /// <summary>The error and its assumption, in one sentence without a full stop.</summary>
    /// <param name="options">The requirement.</param>
    /// <param name="samples">What a sample is, in the plural: sequences, messages.</param>
    public static string Error(RequirementOptions options, string samples)
    {
        ArgumentNullException.ThrowIfNull(options);
        var low = options.Probability - options.EffectiveIndifference;
        var error = Text($"a test passes although the truth is {low:0.####} or less, or fails although it is {options.Probability:0.####} or more, with a probability of at most {options.Error:0.####}, ");
        return error + (options.Guarantee == Guarantee.Any
            ? "whatever the law of the runs, if they are independent of each other"
            : Text($"if runs are independent of each other and vary around one level (a beta law; two {samples} of a run correlated by {options.LargestCorrelation:0.###} or less)"));
    }

    /// <summary>What runs that did not show a rare state cannot exclude, in one sentence without a full stop.</summary>
    /// <param name="options">The requirement.</param>
    /// <param name="runs">How many runs were made, at least 1.</param>
    public static string NotExcluded(RequirementOptions options, int runs)
    {
        ArgumentNullException.ThrowIfNull(options);
        var share = UnseenShare.After(runs, options.Error);
        return options.Guarantee == Guarantee.Any
            ? Text($"bad runs that come in groups, or a broker that changes from run to run, are not covered; a state in up to {share:0 %} of the runs may not have been seen, and the error allows for it")
            : Text($"a state of the broker that none of {runs} runs showed may still hold in up to {share:0 %} of all runs: a broker that is bad rarely, but then for a whole run, can pass by chance");
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
