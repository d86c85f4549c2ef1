using Spectre.Console.Rendering;

namespace MqttCheck.Cli.Terminal;

/// <summary>The state of long work at one moment.</summary>
/// <param name="Share">The share done, 0 to 1.</param>
/// <param name="Summary">The present work, in a few words.</param>
/// <param name="Picture">Draws the state for a terminal of some columns.</param>
/// <param name="Details">The events since the last view, for those who want details and have no terminal.</param>
internal sealed record LiveView(
    double Share,
    string Summary,
    Func<int, IRenderable> Picture,
    IReadOnlyList<string> Details
);
