using Microsoft.AspNetCore.Connections;
using Orleans.Configuration;
using Orleans.Connections.Security;
using Orleans.Hosting;

namespace MqttCheck.Workers.Joining;

/// <summary>The settings of Orleans that workers and coordinators share.</summary>
internal static class Cluster
{
    /// <summary>The name of the cluster and of the service.</summary>
    public const string Name = "mqttcheck";

    /// <summary>
    /// The server name in TLS. No certificate carries it, because each certificate is compared with the trusted ones.
    /// </summary>
    public const string ServerName = "mqttcheck-worker";

    /// <summary>Protects a worker's connections.</summary>
    public static void Secure(this ISiloBuilder silo, WorkerSecurity security)
    {
        var handshake = new KeyHandshake(security.Key);
        if (security.Certificate is not null)
            silo.UseTls(security.Certificate, options => Configure(options, security));
        silo.Configure<SiloConnectionOptions>(options =>
        {
            options.ConfigureSiloInboundConnection(connection => connection.Use(handshake.Step(isServer: true)));
            options.ConfigureSiloOutboundConnection(connection => connection.Use(handshake.Step(isServer: false)));
            options.ConfigureGatewayInboundConnection(connection => connection.Use(handshake.Step(isServer: true)));
        });
    }

    /// <summary>Protects a coordinator's connections.</summary>
    public static void Secure(this IClientBuilder client, WorkerSecurity security)
    {
        var handshake = new KeyHandshake(security.Key);
        if (security.Certificate is not null)
            client.UseTls(security.Certificate, options => Configure(options, security));
        client.Configure<ClientConnectionOptions>(options =>
            options.ConfigureConnection(connection => connection.Use(handshake.Step(isServer: false)))
        );
    }

    private static void Configure(TlsOptions options, WorkerSecurity security)
    {
        options.RemoteCertificateMode = RemoteCertificateMode.RequireCertificate;
        options.ClientCertificateMode = RemoteCertificateMode.RequireCertificate;
        options.RemoteCertificateValidation = (certificate, _, _) => security.Trusts(certificate);
        options.OnAuthenticateAsClient = (_, tls) => tls.TargetHost = ServerName;
    }
}
