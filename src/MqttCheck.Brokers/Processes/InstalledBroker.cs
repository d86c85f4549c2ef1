using System.Net;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Processes.Probes;
using MqttCheck.Brokers.Processes.Recipes;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Processes;

/// <summary>
/// A broker that was started here as a child process with a directory of its own. It ends with this process at the
/// latest.
/// </summary>
internal sealed class InstalledBroker(ChildProcess child, TemporaryDirectory directory) : IBrokerUnderTest
{
    private const int PortAttempts = 5;

    private static readonly TimeSpan StopPatience = TimeSpan.FromSeconds(10);

    /// <inheritdoc/>
    public required BrokerDescription Description { get; init; }

    /// <inheritdoc/>
    public IPEndPoint Address => Endpoint.Address;

    /// <inheritdoc/>
    public required WireEndpoint Endpoint { get; init; }

    /// <inheritdoc/>
    public required Credentials? Credentials { get; init; }

    /// <inheritdoc/>
    public int? ProcessId { get; private init; }

    /// <inheritdoc/>
    public string? Failure => child.Exited.IsCompleted ? Ended(Description.Name, child) : null;

    /// <summary>The broker's directory.</summary>
    internal string DirectoryPath => directory.Path;

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await child.StopAsync(StopPatience);
        await child.DisposeAsync();
        await directory.DisposeAsync();
    }

    /// <summary>Starts a broker on a free port, and returns when it accepts a client.</summary>
    /// <param name="recipe">The broker.</param>
    /// <param name="timeout">How long it may take.</param>
    /// <param name="cancellation">Gives up, and stops it.</param>
    /// <exception cref="BrokerException">It is not installed, or does not start.</exception>
    internal static async Task<InstalledBroker> StartAsync(
        IBrokerRecipe recipe,
        TimeSpan timeout,
        CancellationToken cancellation
    )
    {
        var description = await recipe.DescribeAsync(cancellation);
        for (var attempt = 1; ; attempt++)
        {
            var port = FreePort.Find();
            var directory = new TemporaryDirectory();
            ChildProcess? child = null;
            try
            {
                child = ChildProcess.StartGuarded(recipe.Prepare(directory.Path, port), directory.Path);
                var endpoint = recipe.Endpoint(directory.Path, new IPEndPoint(IPAddress.Loopback, port));
                var problem = await Readiness.WaitAsync(child, endpoint, recipe.Credentials, timeout, cancellation);
                if (problem is null)
                {
                    return new InstalledBroker(child, directory)
                    {
                        Description = description,
                        Endpoint = endpoint,
                        Credentials = recipe.Credentials,
                        ProcessId = await child.ProcessId.WaitAsync(cancellation),
                    };
                }
                var portWasTaken = child.Exited.IsCompleted && FreePort.IsTaken(port);
                if (!portWasTaken || attempt == PortAttempts)
                {
                    throw new BrokerException(
                        child.Exited.IsCompleted
                            ? Ended(recipe.Name, child)
                            : $"Broker {recipe.Name} does not accept a client within "
                                + $"{timeout.TotalSeconds:0.#} s: it {problem}. {child.Output}"
                    );
                }
            }
            catch
            {
                await CleanUpAsync();
                throw;
            }
            await CleanUpAsync();

            async Task CleanUpAsync()
            {
                if (child is not null)
                    await child.DisposeAsync();
                await directory.DisposeAsync();
            }
        }
    }

    private static string Ended(string name, ChildProcess child) =>
        $"Broker {name} ended with exit code {child.Exited.Result}. {child.Output}";
}
