using MqttCheck.Requirements;

namespace MqttCheck.Properties.Live;

/// <summary>
/// Tests a property on a live broker, run by run: the run is the sampling unit, because traces of one run share the
/// broker's state. <see cref="RequirementTest"/> decides; a run about whose traces the property says nothing does not
/// count.
/// </summary>
/// <param name="property">The property.</param>
/// <param name="options">Its requirement; see <see cref="LiveProperty.Requirement"/>.</param>
/// <param name="plan">After how many runs there may be a verdict.</param>
/// <exception cref="InputException">An option is out of range.</exception>
public sealed class LivePropertyTest(LiveProperty property, RequirementOptions options, RequirementPlan plan)
{
    private readonly RequirementTest _test = new(options, plan);
    private readonly List<LiveRun> _runs = [];
    private RequirementResult? _latest;

    /// <summary>The property.</summary>
    public LiveProperty Property { get; } = property;

    /// <summary>The requirement and the error.</summary>
    public RequirementOptions Options { get; } = options;

    /// <summary>After how many runs there may be a verdict.</summary>
    public RequirementPlan Plan { get; } = plan;

    /// <summary>The result of the runs so far.</summary>
    public LivePropertyResult Result =>
        new()
        {
            Property = Property,
            Options = Options,
            Plan = Plan,
            Runs = [.. _runs],
            Requirement = _latest,
        };

    /// <summary>
    /// Whether no more runs are needed: there is a verdict, or so many runs as a first verdict takes had no trace about
    /// which the property says something.
    /// </summary>
    public bool IsOver =>
        _latest is { IsOver: true }
        || (_latest is null && _runs.Count >= Math.Min(Plan.FirstMetLook, Plan.FirstViolatedLook));

    /// <summary>Counts a run.</summary>
    /// <param name="run">The result of the run.</param>
    /// <returns>The result of the runs so far.</returns>
    public LivePropertyResult AddRun(LiveRun run)
    {
        _runs.Add(run);
        if (run.Count.Samples > 0)
            _latest = _test.AddRun(run.Count, run.Silent);
        return Result;
    }

    /// <summary>
    /// Takes a run that does not count into account: see <see cref="RequirementTest.AddInvalidRun"/>.
    /// </summary>
    /// <param name="run">The result of the run; one about which the property says nothing has no effect.</param>
    public void AddInvalidRun(LiveRun run) => _latest = _test.AddInvalidRun(run.Count) ?? _latest;
}
