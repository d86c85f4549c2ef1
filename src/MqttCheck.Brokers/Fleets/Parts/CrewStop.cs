using System.Diagnostics;
using MqttCheck.Shards.Parts;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>Ends the parts of a run: in order, and at once where that takes too long.</summary>
internal sealed class CrewStop(IPartCrew crew)
{
    private static readonly TimeSpan s_cleaning = TimeSpan.FromSeconds(20);

    private long _stoppedAt;
    private bool _isAborted;

    /// <summary>Whether the parts were told to stop.</summary>
    public bool IsStopped { get; private set; }

    /// <summary>Stops them in order.</summary>
    public async Task StopAsync()
    {
        (IsStopped, _stoppedAt) = (true, Stopwatch.GetTimestamp());
        await crew.StopAsync(atOnce: false);
    }

    /// <summary>Stops them where the run is spoilt or cancelled, or has been stopped for long.</summary>
    public async Task StopIfNeededAsync(bool isSpoilt, CancellationToken cancellation, CancellationToken abort)
    {
        if (!IsStopped && (isSpoilt || cancellation.IsCancellationRequested))
            await StopAsync();
        var isSlow = IsStopped && Stopwatch.GetElapsedTime(_stoppedAt) > s_cleaning;
        if (!_isAborted && (abort.IsCancellationRequested || isSlow))
        {
            _isAborted = IsStopped = true;
            await crew.StopAsync(atOnce: true);
        }
    }
}
