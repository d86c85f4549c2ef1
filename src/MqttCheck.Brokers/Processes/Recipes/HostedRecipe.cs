using MqttCheck.Brokers.Processes.Settings;

namespace MqttCheck.Brokers.Processes.Recipes;

/// <summary>A broker that comes with the measuring program, on a port that is given.</summary>
/// <param name="specification">The broker.</param>
/// <param name="program">The program.</param>
internal sealed class HostedRecipe(BrokerSpecification specification, HostedBroker program) : IBrokerRecipe
{
    /// <inheritdoc/>
    public string Name => specification.Name;

    /// <summary>The known properties of such a broker.</summary>
    /// <param name="specification">The broker.</param>
    /// <param name="program">The program.</param>
    public static BrokerDescription Describe(BrokerSpecification specification, HostedBroker program) =>
        new()
        {
            Name = specification.Name,
            Version = program.Version,
            Settings = BrokerSettings.Word(specification.IsTuned, specification.Settings),
            Details = program.Details,
        };

    /// <inheritdoc/>
    public Task<BrokerDescription> DescribeAsync(CancellationToken cancellation) =>
        Task.FromResult(Describe(specification, program));

    /// <inheritdoc/>
    public BrokerCommand Prepare(string directory, int port) => program.Serve(port);
}
