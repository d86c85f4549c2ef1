namespace MqttCheck.Latency;

/// <summary>
/// A learned latency model: immutable, saved to and read from a model file, able to start processes for simulated
/// setups. Each kind of model is one sealed class.
/// </summary>
public abstract class LatencyModel
{
    /// <summary>The name of the kind of model, as in the model file, for example <c>binned-quantiles</c>.</summary>
    public abstract string Kind { get; }

    /// <summary>
    /// Hands a process of this model's own struct type to a consumer that is generic over it, so that nothing virtual
    /// is left inside the simulation.
    /// </summary>
    /// <typeparam name="TResult">The type of the consumer's result.</typeparam>
    /// <param name="clients">How many clients the setup has.</param>
    /// <param name="consumer">The code that uses processes of the struct type.</param>
    public abstract TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer);
}
