using MqttCheck.App.Progress;
using MqttCheck.Latency;
using MqttCheck.Predictions;
using MqttCheck.Shards;
using static System.FormattableString;

namespace MqttCheck.App.Predict;

/// <summary>Tells which setup is simulated, and how many of the replications of all setups are done.</summary>
internal sealed class CountedSetups
{
    private readonly Action<double, string> _report;
    private readonly int _all;
    private string _setup = "";
    private int _ended;

    /// <summary>The setups of a prediction, none of which is simulated so far.</summary>
    /// <param name="model">The model.</param>
    /// <param name="request">The setups.</param>
    /// <param name="report">Is told the share that is done, and a few words that say the same.</param>
    public CountedSetups(LearnedModel model, PredictRequest request, Action<double, string> report)
    {
        var options = request.Options;
        _report = report;
        _all = request.Fleets.Sum(fleet =>
            fleet.Clients.Sum(count => Forecast.Replications(model, fleet.Population, count, options))
        );
        Options = options with
        {
            Runner = new CountingRunner(options.Runner ?? new LocalShardRunner(options.Threads), Tell),
        };
    }

    /// <summary>The options of the prediction, with a runner that counts.</summary>
    public PredictionOptions Options { get; }

    /// <summary>Begins a setup.</summary>
    /// <param name="name">The name of the setup.</param>
    public void Begin(string name)
    {
        _setup = name;
        Tell(0, null);
    }

    // The model and each of its alternatives are a job.
    private void Tell(int done, int? ofJob)
    {
        var sum = _ended + done;
        _report((double)sum / _all, Invariant($"{_setup}, {sum} of {_all} replications"));
        if (done == ofJob)
            _ended = sum;
    }
}
