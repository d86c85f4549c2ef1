using Spectre.Console.Rendering;

namespace MqttCheck.Cli.Terminal;

/// <summary>The state of long work at one moment.</summary>
/// <param name="Share">The share done, 0 to 1.</param>
/// <param name="Summary">What is being done, a few words.</param>
/// <param name="Picture">Draws the state for a terminal of some columns.</param>
/// <param name="Details">What has happened since the last one, for those who want details and have no terminal.</param>
internal sealed record LiveView(
    double Share,
    string Summary,
    Func<int, IRenderable> Picture,
    IReadOnlyList<string> Details
);
