using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;

namespace MqttCheck.Auditing.Promises;

/// <summary>One promise under one law at one truth: a line of the table of promises.</summary>
internal sealed record PromiseCell
{
    /// <summary>The test that promises the error, with its plan: a verdict, a requirement or a comparison.</summary>
    public required string Subject { get; init; }

    /// <summary>The situation: what is predicted or required, and what is true.</summary>
    public required string Situation { get; init; }

    /// <summary>
    /// Tells apart lines of one subject under one law, for example by the width of an interval; empty if not needed.
    /// </summary>
    public string Variant { get; init; } = "";

    /// <summary>How many runs of which length, in words.</summary>
    public string Detail { get; init; } = "";

    /// <summary>The law of the runs; null where a cell simulates something else than runs of one law.</summary>
    public RunLaw? Law { get; init; }

    /// <summary>The name of the simulated law: that of <see cref="Law"/> unless another one is given.</summary>
    public string LawName
    {
        get => field ?? Law?.Name ?? "";
        init;
    }

    /// <summary>Under which assumption; null where the promise knows no choice of one.</summary>
    public Guarantee? Guarantee { get; init; }

    /// <summary>
    /// The stated error; null where the promise does not hold under this law, and the error is printed only.
    /// </summary>
    public required double? Promise { get; init; }

    /// <summary>
    /// The printed exception: a probability that comes on top of the promise, for example that the runs see nothing of
    /// a rare state, which no test beats. 0 where the promise has no exception.
    /// </summary>
    public double Floor { get; init; }

    /// <summary>One simulated measurement; called by several threads at once.</summary>
    public required Func<RandomStream, TrialOutcome> Trial { get; init; }

    /// <summary>Identifies this cell within a table, and in tables of other versions.</summary>
    public string Key => string.Join('|', Guarantee, Subject, Variant, Situation, LawName);

    /// <summary>Whether <see cref="Key"/> has a text, in capital letters or not.</summary>
    /// <param name="text">The text; null is part of every key.</param>
    public bool Has(string? text) => text is null || Key.Contains(text, StringComparison.OrdinalIgnoreCase);

    /// <summary>The largest error that is allowed, the exception included; null where nothing is promised.</summary>
    public double? Allowed => Promise is { } promise ? promise + Floor : null;
}
