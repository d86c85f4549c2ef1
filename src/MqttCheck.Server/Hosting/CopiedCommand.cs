namespace MqttCheck.Server.Hosting;

/// <summary>The commands that repeat a scenario's refined answer.</summary>
/// <param name="Predict">The command that gives the same numbers.</param>
/// <param name="LargestFleet">The command that searches the largest fleet.</param>
/// <param name="Explore">The command that gives a log up to the clients that are asked for.</param>
/// <param name="Model">The model's file.</param>
/// <param name="ModelSha256">The hash of its content.</param>
/// <param name="Profile">The profile's file, or the name of a built-in one.</param>
/// <param name="ProfileSha256">The hash of its content.</param>
internal sealed record CopiedCommand(
    string Predict,
    string LargestFleet,
    string Explore,
    string Model,
    string ModelSha256,
    string Profile,
    string ProfileSha256
);
