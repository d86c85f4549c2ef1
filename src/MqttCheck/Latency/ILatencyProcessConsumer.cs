namespace MqttCheck.Latency;

/// <summary>Code that is compiled once for each struct type of latency process: the simulator.</summary>
/// <typeparam name="TResult">The type of the result.</typeparam>
public interface ILatencyProcessConsumer<out TResult>
{
    /// <summary>Runs with processes of the type <typeparamref name="TProcess"/>.</summary>
    /// <typeparam name="TProcess">The struct type of the process.</typeparam>
    /// <param name="create">Makes a process with its own state, for one thread.</param>
    TResult Run<TProcess>(Func<TProcess> create)
        where TProcess : struct, ILatencyProcess;
}
