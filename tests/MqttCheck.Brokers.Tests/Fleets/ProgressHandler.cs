namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>Tells progress at once and in the thread that reports it.</summary>
internal sealed class ProgressHandler<T>(Action<T> handle) : IProgress<T>
{
    public void Report(T value) => handle(value);
}
