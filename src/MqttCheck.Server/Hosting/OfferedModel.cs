using MqttCheck.Server.Questions;

namespace MqttCheck.Server.Hosting;

/// <summary>A model as the page shows it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="File">Its file.</param>
/// <param name="Sha256">The hash of the file.</param>
/// <param name="Kind">The kind of model.</param>
/// <param name="Broker">The broker that it was learned from.</param>
/// <param name="Clients">The most clients that it has seen.</param>
/// <param name="MessagesPerSecond">The most messages per second that it has seen.</param>
internal sealed record OfferedModel(
    string Name,
    string File,
    string Sha256,
    string Kind,
    string Broker,
    int Clients,
    double MessagesPerSecond
)
{
    /// <summary>A model as the page shows it.</summary>
    public static OfferedModel Of(ServedModel model) =>
        new(
            model.Name,
            model.File,
            model.Sha256,
            model.Learned.Model.Kind,
            $"{model.Learned.Broker.Name} {model.Learned.Broker.Version}".TrimEnd(),
            model.Learned.Ranges.Clients,
            model.Learned.Ranges.MessagesPerSecond
        );
}
