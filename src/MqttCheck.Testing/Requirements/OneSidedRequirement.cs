using MqttCheck.Requirements;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Testing.Requirements;

/// <summary>
/// A requirement that something holds with a probability or more, so that a broker that is better meets it.
/// </summary>
/// <typeparam name="TSelf">The requirement itself.</typeparam>
public abstract class OneSidedRequirement<TSelf> : MeasuringRequirement
    where TSelf : OneSidedRequirement<TSelf>
{
    private readonly string _name;

    private protected OneSidedRequirement(double probability, string name) =>
        (Options, _name) = (new() { Probability = probability }, name);

    private protected RequirementOptions Options { get; private set; }

    /// <summary>The largest probability of each wrong verdict, in (0, .5). Default .01.</summary>
    /// <param name="probability">The probability.</param>
    public TSelf WithError(double probability) => Change(Options with { Error = probability });

    /// <summary>
    /// How far below the required probability the truth must lie to be found a violation for sure; see
    /// <see cref="RequirementOptions.Indifference"/>.
    /// </summary>
    /// <param name="distance">The distance, greater than 0.</param>
    public TSelf WithIndifference(double distance) => Change(Options with { Indifference = distance });

    /// <summary>
    /// The smallest number of runs, at least 3. The default is the number that excludes a broker which fails rarely,
    /// but then for a whole run.
    /// </summary>
    /// <param name="runs">The number.</param>
    public TSelf WithRuns(int runs) => Change(Options with { MinimumRuns = runs });

    /// <summary>
    /// The largest correlation of two samples of one run for which the error is promised, above 0, at most .4, the
    /// default. Requirements near 1 take far fewer runs with a smaller one.
    /// </summary>
    /// <param name="correlation">The correlation.</param>
    public TSelf WithCorrelationUpTo(double correlation) => Change(Options with { LargestCorrelation = correlation });

    /// <summary>
    /// Under which assumption the error is promised. The default, <see cref="Guarantee.Model"/>, takes few runs and may
    /// miss a bad state that occurs rarely; <see cref="Guarantee.Any"/> holds for independent runs of any law and takes
    /// many. How many, and how long, is written to the progress of the test beforehand.
    /// </summary>
    /// <param name="guarantee">The guarantee.</param>
    public TSelf WithGuarantee(Guarantee guarantee) => Change(Options with { Guarantee = guarantee });

    /// <summary>
    /// You vouch that no run of the broker has a share below this one: with <see cref="Guarantee.Any"/>, which must
    /// have been asked for before, fewer runs then suffice. A run below it takes the verdict away. Above 0, below what
    /// surely counts as violated.
    /// </summary>
    /// <param name="share">The share.</param>
    public TSelf WithWorstRun(double share) => Change(Options with { WorstRun = share });

    /// <summary>How long the runs may take. The default is 60 s, or more where the planned runs take longer.</summary>
    /// <param name="budget">The time.</param>
    public TSelf Within(TimeSpan budget)
    {
        Budget = budget;
        return (TSelf)this;
    }

    private protected void Check() => InputException.ThrowIfAny(Options.Validate(_name));

    private TSelf Change(RequirementOptions options)
    {
        Options = options;
        Check();
        return (TSelf)this;
    }
}
