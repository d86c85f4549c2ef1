using System.Globalization;
using MqttCheck.Brokers.Processes.Children;

namespace MqttCheck.Brokers.Processes.Recipes;

/// <summary>A broker that the user names by its command line.</summary>
/// <param name="specification">The command line, of kind <see cref="BrokerKind.Command"/>.</param>
/// <param name="credentials">How to log in.</param>
internal sealed class CommandRecipe(BrokerSpecification specification, Credentials? credentials) : IBrokerRecipe
{
    /// <inheritdoc/>
    public string Name => specification.Name;

    /// <inheritdoc/>
    public Credentials? Credentials { get; } = credentials;

    /// <inheritdoc/>
    public Task<BrokerDescription> DescribeAsync(CancellationToken cancellation) =>
        Task.FromResult(new BrokerDescription { Name = Name });

    /// <inheritdoc/>
    public BrokerCommand Prepare(string directory, int port)
    {
        var words = specification
            .Command.Select(word =>
                word.Replace(
                    BrokerSpecification.PortPlaceholder,
                    port.ToString(CultureInfo.InvariantCulture),
                    StringComparison.Ordinal
                )
            )
            .ToArray();
        // The program runs in a directory of its own, so a path relative to the user's must be resolved here.
        var program = CommandSearch.Require(words[0], $"It is the first word of --broker '{Name}'.");
        return new BrokerCommand(program, words[1..]);
    }
}
