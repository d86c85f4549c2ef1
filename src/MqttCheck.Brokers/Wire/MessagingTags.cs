using System.Diagnostics;

namespace MqttCheck.Brokers.Wire;

/// <summary>The attributes of measured requests, by the semantic conventions for messaging.</summary>
/// <param name="endpoint">The broker's address; null where it has several.</param>
/// <param name="profile">The name of the usage profile, the workload or the topology.</param>
/// <param name="clients">How many clients made requests at the same time.</param>
internal sealed class MessagingTags(WireEndpoint? endpoint, string profile, int clients)
{
    /// <summary>The attributes of one kind of request.</summary>
    /// <param name="operation">Its name, for example <c>publish</c>.</param>
    public TagList Of(string operation)
    {
        var tags = new TagList
        {
            { "messaging.system", "mqtt" },
            { "messaging.operation.name", operation },
            { "mqttcheck.profile", profile },
            { "mqttcheck.clients", clients },
        };
        if (operation == "publish")
            tags.Add("messaging.operation.type", "send");
        if (endpoint is not null)
        {
            tags.Add("server.address", endpoint.Address.Address.ToString());
            tags.Add("server.port", endpoint.Address.Port);
        }
        return tags;
    }
}
