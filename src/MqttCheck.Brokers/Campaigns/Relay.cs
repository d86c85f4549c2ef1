namespace MqttCheck.Brokers.Campaigns;

/// <summary>
/// Progress that is handed on at once, on the thread that reports it (the framework's own hands it to a thread pool,
/// out of order).
/// </summary>
internal sealed class Relay<T>(Action<T> report) : IProgress<T>
{
    public void Report(T value) => report(value);
}
