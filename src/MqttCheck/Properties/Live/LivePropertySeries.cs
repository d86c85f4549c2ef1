using MqttCheck.Logs;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Properties.Live;

/// <summary>Runs that test a property: what <c>verify --property</c> and tests have in common.</summary>
/// <typeparam name="TRun">The type of a run's result.</typeparam>
/// <param name="test">The test.</param>
/// <param name="make">Makes a run.</param>
/// <param name="exchanges">The exchanges of a run; asked for once, when it has been made.</param>
internal sealed class LivePropertySeries<TRun>(
    LivePropertyTest test,
    Func<RunTurn, TRun> make,
    Func<TRun, IReadOnlyList<Exchange>> exchanges
) : IRunSeries<TRun>
    where TRun : class, IMadeRun
{
    private const int FewestInvalidRuns = 3;

    /// <summary>Told after each run that counts what is known now, and which share of the whole work is done.</summary>
    public Action<LivePropertyResult, double>? Added { get; init; }

    /// <summary>None: the test itself says after how many runs there may be a verdict.</summary>
    public int LeastRuns => 0;

    /// <inheritdoc/>
    public int MostInvalidRuns => Math.Max(test.Plan.FirstMetLook, FewestInvalidRuns);

    /// <inheritdoc/>
    public int ExpectedRuns => test.Plan.Runs;

    /// <inheritdoc/>
    public bool IsDecided => test.IsOver;

    /// <inheritdoc/>
    public IReadOnlyList<TRun?> Make(RunTurn turn) => [make(turn)];

    /// <inheritdoc/>
    public void Add(IReadOnlyList<UsedRun<TRun>> round, double shareDone)
    {
        var (run, counts) = round[0];
        var judged = test.Property.Judge(exchanges(run));
        if (!counts)
        {
            test.AddInvalidRun(judged);
            return;
        }
        var latest = test.AddRun(judged);
        Added?.Invoke(latest, shareDone);
    }

    /// <summary>The result of the runs; the verdict is withheld if they cannot be used.</summary>
    /// <param name="tally">The runs of this series, counted.</param>
    public LivePropertyResult Conclude(RunTally<TRun> tally)
    {
        return test.Result with { Unusable = tally.WhyWithheld(), InvalidRuns = tally.InvalidInWords() };
    }
}
