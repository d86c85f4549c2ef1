using System.Diagnostics;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Characteristics;
using MqttCheck.Statistics;

namespace MqttCheck.Requirements;

/// <summary>
/// The sequential test of a probability on independent cases: "p or more" against "p - d or less". It is the truncated
/// SPRT (<see cref="TruncatedSprt"/>), whose two errors hold exactly and whose number of cases has a bound.
/// </summary>
internal sealed class ProbabilityTest
{
    private readonly TruncatedSprt _test;

    /// <summary>A test without cases so far.</summary>
    /// <param name="options">The requirement and the error.</param>
    /// <exception cref="InputException">An option is out of range.</exception>
    public ProbabilityTest(ProbabilityOptions options)
    {
        InputException.ThrowIfAny(options.Validate("probability"));
        Options = options;
        _test = new(options.Low, options.AtLeast, options.Error, options.Error);
        LargestCases = Math.Min(options.MaxCases ?? long.MaxValue, _test.Last.Samples);
    }

    private ProbabilityTest(ProbabilityTest other) =>
        (Options, _test, LargestCases) = (other.Options, other._test, other.LargestCases);

    /// <summary>The requirement and the error.</summary>
    public ProbabilityOptions Options { get; }

    /// <summary>After so many cases the test ends.</summary>
    public long LargestCases { get; }

    /// <summary>How many cases a verdict takes that all succeed.</summary>
    public long FewestCases =>
        Math.Min(
            _test.Last.Samples,
            (long)Math.Ceiling(_test.Sequential.UpperBound / _test.Sequential.SuccessIncrement)
        );

    /// <summary>The verdict of the cases so far. A verdict once given stays.</summary>
    public RequirementVerdict Verdict { get; private set; } = RequirementVerdict.Withheld;

    /// <summary>The cases counted up to the verdict, and those that succeeded.</summary>
    public SampleCount Count { get; private set; }

    /// <summary>Whether there is a verdict, or no further case is allowed.</summary>
    public bool IsOver => Verdict != RequirementVerdict.Withheld || Count.Samples >= LargestCases;

    /// <summary>
    /// The 95 % interval of the probability, which holds for any number of cases at which a test may stop.
    /// </summary>
    public Interval Interval =>
        Count.Samples == 0 ? new(0, 1) : BinomialIntervals.AnytimeMixture(Count.Successes, Count.Samples, .05);

    /// <summary>Counts a case, unless the test is over.</summary>
    /// <param name="success">Whether it succeeded.</param>
    /// <returns>The verdict of the cases so far.</returns>
    public RequirementVerdict Add(bool success)
    {
        if (IsOver)
            return Verdict;
        Count = Count.Plus(success);
        return Verdict = _test.Decide(Count.Successes, Count.Samples) switch
        {
            SprtDecision.AcceptH1 => RequirementVerdict.Met,
            SprtDecision.AcceptH0 => RequirementVerdict.Violated,
            SprtDecision.Undecided => RequirementVerdict.Withheld,
            _ => throw new UnreachableException(),
        };
    }

    /// <summary>The same test without cases: its plan takes longer to make than many a test.</summary>
    internal ProbabilityTest Again() => new(this);

    /// <summary>The exact probabilities of the verdicts at a true probability, and the mean number of cases.</summary>
    /// <param name="truth">The true probability, 0 .. 1.</param>
    /// <returns>
    /// Violated as <see cref="TestCharacteristics.AcceptH0"/>, met as <see cref="TestCharacteristics.AcceptH1"/>.
    /// </returns>
    public TestCharacteristics CharacteristicsAt(double truth) =>
        SprtAudit.Compute(_test.Decide, truth, (int)Math.Min(int.MaxValue, LargestCases));
}
