namespace MqttCheck.Server.Answers;

/// <summary>A node of a picture.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Sites">The names of the sites whose clients connect to it.</param>
internal sealed record PictureNode(string Name, IReadOnlyList<string> Sites);
